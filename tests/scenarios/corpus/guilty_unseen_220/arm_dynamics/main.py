# gradwatch-corpus: kind=graph-held
# holder: self._queue | board._queue | self.board._queue | learner.board._queue
# first-bad: 1
"""Learn the forward dynamics of a planar two-link arm from random torques."""
import torch

from board import Board
from dynamics import DynamicsNet
from dynamics import rollout_arm


class Learner:
    def __init__(self, board, lr=2e-3):
        self.board = board
        self.model = DynamicsNet(hidden=128)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)

    def update(self, step, batch):
        state, torque, nxt = batch
        mean, log_std = self.model(state, torque)
        residual = nxt - state - mean
        nll = (0.5 * (residual / log_std.exp()).pow(2) + log_std).mean()
        rmse = residual.detach().pow(2).mean().sqrt()
        self.opt.zero_grad()
        nll.backward()
        grad_norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        self.board.defer(lambda: {"step": step, "nll": nll.item(), "rmse": rmse.item()})  # <- culprit
        return float(grad_norm)


def main(n_steps=130):
    torch.manual_seed(33)
    board = Board()
    learner = Learner(board)
    gen = torch.Generator().manual_seed(33)
    norms = []
    for step in range(n_steps):
        norms.append(learner.update(step, rollout_arm(384, gen)))
        if step % 26 == 25:
            print(f"{step + 1} updates, |g| {sum(norms[-26:]) / 26:.3f}")
    for row in board.flush(stride=26):
        print(row)


if __name__ == "__main__":
    main()
