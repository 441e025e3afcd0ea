# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
# after: wenet-e2e/wekws PR 73 "[fix bug] add optimizer.zero_grad() in kws/utils/executor.py"
"""Wake word spotting with max-pooling loss."""
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))
from executor import Executor       # noqa: E402
from model import KWSModel          # noqa: E402


def utterances(n, frames=50, dim=16, batch=16, seed=0):
    g = torch.Generator().manual_seed(seed)
    word = torch.randn(8, dim, generator=g)
    for _ in range(n):
        feats = torch.randn(batch, frames, dim, generator=g)
        target = torch.randint(0, 2, (batch,), generator=g)
        for b in target.nonzero().flatten().tolist():
            at = int(torch.randint(0, frames - 8, (1,), generator=g))
            feats[b, at:at + 8] += word
        lengths = torch.full((batch,), frames)
        yield [f"utt{i}" for i in range(batch)], feats, target, lengths


def main():
    torch.manual_seed(777)
    model = KWSModel(idim=16, hdim=24)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    conf = {"grad_clip": 5.0, "log_interval": 20}
    executor = Executor()
    for epoch in range(2):
        executor.train(model, optimizer, utterances(45, seed=epoch), torch.device("cpu"), conf)
        loss, acc = executor.cv(model, utterances(5, seed=99), torch.device("cpu"))
        print(f"epoch {epoch} cv loss {loss:.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
