# gradwatch-corpus: kind=none
"""Keypoint regression with a board of curves that only lives for the time of a session."""
import contextlib
from collections import defaultdict

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(10)

JOINTS = ["wrist", "elbow", "shoulder", "hip"]


class Board:
    def __init__(self):
        self.curves = defaultdict(list)
        self.summaries = []

    @contextlib.contextmanager
    def session(self, **tags):
        outer, self.curves = self.curves, defaultdict(list)
        try:
            yield self
            self.summaries.append(tags | {k: torch.stack(v).mean().item() for k, v in self.curves.items()})
        finally:
            self.curves = outer

    def __getitem__(self, key):
        return self.curves[key].append


class PoseNet(nn.Module):
    def __init__(self, d_in, joints):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(d_in, 40), nn.LayerNorm(40), nn.ReLU())
        self.head = nn.Linear(40, joints * 2)

    def forward(self, x):
        return self.head(self.stem(x)).unflatten(1, (-1, 2))


def frames(cam, n=20):
    pose = torch.randn(n, len(JOINTS), 2)
    seen = pose.flatten(1) @ cam + 0.05 * torch.randn(n, cam.size(1))
    return seen, pose


def session_body(net, opt, cam, board, rounds, stride):
    log = {j: board[j] for j in JOINTS}
    for r in range(rounds):
        seen, pose = frames(cam)
        dist = (net(seen) - pose).norm(dim=-1).mean(0)
        loss = dist.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if r % stride == 0:
            for joint, d in zip(JOINTS, dist.unbind()):
                log[joint](d)


def main():
    net = PoseNet(12, len(JOINTS))
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    cam = torch.randn(len(JOINTS) * 2, 12)
    board = Board()
    with contextlib.ExitStack() as stack:
        stack.enter_context(board.session(run="main"))
        for s in range(15):
            with board.session(idx=s):
                session_body(net, opt, cam, board, rounds=24, stride=3)
            if s % 5 == 4:
                print({k: round(v, 3) if isinstance(v, float) else v for k, v in board.summaries[-1].items()})
    print(len(board.summaries), "sessions")


if __name__ == "__main__":
    main()
