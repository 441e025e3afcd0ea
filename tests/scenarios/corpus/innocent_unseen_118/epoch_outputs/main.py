# gradwatch-corpus: kind=none
import torch

from hooks.collect import OutputCollector
from hooks.lr import Warmup
from runner import Runner, TaggerModule


def sentences(n_batches=12, batch=10, length=14, vocab=40, tags=5):
    for _ in range(n_batches):
        tok = torch.randint(vocab, (batch, length))
        prev = torch.cat([torch.zeros(batch, 1, dtype=torch.long), tok[:, :-1]], 1)
        yield tok, (tok + prev // 8) % tags


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(19)
    runner = Runner(TaggerModule(vocab=40, tags=5), [Warmup(20), OutputCollector(every=7)], lr=4e-3)
    runner.fit(sentences, epochs=28)
