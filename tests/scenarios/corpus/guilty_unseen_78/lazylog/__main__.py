# gradwatch-corpus: kind=graph-held
# holder: self._shapes | log._shapes | board._shapes | hidden | fn
# first-bad: 1
# notice: 8
"""Spectrum denoiser; run as ``python -m lazylog``."""
import torch

from .board import Board
from .denoiser import Denoiser, noisy_spectra


def train(net: Denoiser, board: Board, steps: int = 140) -> None:
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=steps)
    for step in range(steps):
        x, clean = noisy_spectra(24, net.bins)
        out, hidden = net(x)
        loss = torch.nn.functional.mse_loss(out, clean)

        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()

        board.scalar("mse", lambda loss=loss.detach(): loss.item())
        board.shape("hidden", lambda hidden=hidden: hidden.detach().flatten().quantile(torch.tensor([0.1, 0.5, 0.9])))  # <- culprit
        if step % 5 == 4:
            board.flush(step)


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(8)
    board = Board(quiet_every=7)
    train(Denoiser(bins=40, width=32), board)
    print(f"{board.lines} lines written")


if __name__ == "__main__":
    main()
