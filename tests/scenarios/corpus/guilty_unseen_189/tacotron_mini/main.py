# gradwatch-corpus: kind=graph-held
# holder: self.alignment_history | self.decoder.alignment_history | model.decoder.alignment_history
# first-bad: 1
import torch
import torch.nn.functional as F

from modules import Tacotron
from synth import Corpus

STEPS = 410


def guided_attention(align, g=0.3):
    B, T, N = align.shape
    t = torch.arange(T).unsqueeze(1) / T
    n = torch.arange(N).unsqueeze(0) / N
    w = 1 - torch.exp(-((n - t) ** 2) / (2 * g * g))
    return (align * w).mean()


def main():
    torch.manual_seed(11)
    corpus = Corpus(vocab=20, n_mels=8, seed=4)
    model = Tacotron(vocab=20, n_mels=8, hidden=24)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(STEPS):
        text, mel = corpus.batch(8)
        out, align = model(text, mel)
        mel_loss = F.l1_loss(out, mel)
        att_loss = guided_attention(align)
        loss = mel_loss + 0.5 * att_loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 100 == 0:
            print(f"{step:4d} mel {mel_loss.item():.4f} att {att_loss.item():.4f}")
    first, last = model.decoder.alignment_history[0], model.decoder.alignment_history[-1]
    print("diagonality", first.argmax(-1).tolist(), "->", last.argmax(-1).tolist())


if __name__ == "__main__":
    main()
