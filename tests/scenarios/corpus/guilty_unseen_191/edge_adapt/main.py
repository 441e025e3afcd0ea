# gradwatch-corpus: kind=graph-chain
# holder: self.weights | session.weights | self.committed | session.committed
# first-bad: 1
import torch

from session import AdaptSession, build_backbone
from stream import drifting_stream


def main():
    torch.manual_seed(14)
    backbone = build_backbone(in_dim=12, hidden=48, classes=5)
    session = AdaptSession(backbone, lr=0.05, commit_every=8, tolerance=1.5)
    correct = seen = 0
    for step, (x, y) in enumerate(drifting_stream(steps=600, dim=12, classes=5, batch=32)):
        loss, hits = session.step(x, y)
        correct += hits
        seen += len(y)
        if step % 100 == 99:
            print(f"step {step + 1} loss {loss:.3f} acc {correct / seen:.3f} "
                  f"rollbacks {session.rollbacks}")
            correct = seen = 0


if __name__ == "__main__":
    main()
