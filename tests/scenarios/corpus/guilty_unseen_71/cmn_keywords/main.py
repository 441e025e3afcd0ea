# gradwatch-corpus: kind=graph-chain
# holder: self.mean | self.net.norm.mean | self.norm.mean | model.norm.mean | net.norm.mean
# first-bad: 1
# notice: 5
# also: retain-needless
# also: memory-climb
"""Keyword + speaker-gender recogniser over synthetic filterbanks."""
import torch

from engine import Engine, Settings
from layers import KeywordNet

WORDS = 5


def utterances(n_batches, batch, seed):
    gen = torch.Generator().manual_seed(seed)
    protos = torch.randn(WORDS, 20, 16, generator=torch.Generator().manual_seed(99))
    for _ in range(n_batches):
        word = torch.randint(WORDS, (batch,), generator=gen)
        voice = torch.randint(2, (batch,), generator=gen)
        mel = protos[word] + 0.6 * (voice.float() - 0.5)[:, None, None]
        channel = 0.5 * torch.randn(1, 1, 16, generator=gen)
        yield mel + channel + 0.7 * torch.randn(mel.shape, generator=gen), word, voice


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    cfg = Settings()
    net = KeywordNet(n_mels=16, feat=12, words=WORDS)
    engine = Engine(net, cfg)
    engine.fit(utterances(cfg.steps, cfg.batch, seed=17))
    net.eval()
    hits = total = 0
    with torch.no_grad():
        for mel, word, _ in utterances(10, 32, seed=18):
            hits += (net(mel)[0].argmax(-1) == word).sum().item()
            total += len(word)
    print(f"held-out accuracy {hits / total:.3f}")


if __name__ == "__main__":
    main()
