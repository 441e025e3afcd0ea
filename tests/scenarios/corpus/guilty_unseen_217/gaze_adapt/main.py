# gradwatch-corpus: kind=graph-chain
# holder: session.hidden | self.session.hidden | self.hidden
# first-bad: 1
import torch

from model import GazeNet
from optim import build_optimizer
from session import Session, TrackingLoop


def main():
    torch.manual_seed(23)
    model = GazeNet(n_landmarks=12, width=24)
    opt = build_optimizer("momentum_sgd", model, lr=1e-3, momentum=0.9)
    session = Session(n_users=6)
    loop = TrackingLoop(model, opt, session)
    for block in range(2):
        loop.calibrate(n_frames=35)
        print("block", block, "mean px err", f"{loop.mean_error():.3f}")


if __name__ == "__main__":
    main()
