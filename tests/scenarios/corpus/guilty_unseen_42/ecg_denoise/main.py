# gradwatch-corpus: kind=graph-held
# holder: self.rows | run_log.rows
# first-bad: 1
# notice: 16
import torch
from torch import nn

from runlog import CsvLog
from signals import ecg_batch


class Denoiser(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv1d(1, ch, 7, padding=3), nn.ReLU(), nn.Conv1d(ch, ch, 7, padding=3), nn.ReLU())
        self.dec = nn.Conv1d(ch, 1, 7, padding=3)

    def forward(self, x):
        return x - self.dec(self.enc(x))


def spectral_loss(a, b):
    fa, fb = torch.fft.rfft(a, dim=-1), torch.fft.rfft(b, dim=-1)
    return (fa.abs() - fb.abs()).abs().mean()


def train(steps=160, log_every=4):
    gen = torch.Generator().manual_seed(21)
    net = Denoiser()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    run_log = CsvLog(["step", "lr", "mse", "spec"])
    for step in range(steps):
        noisy, clean = ecg_batch(16, 128, gen)
        out = net(noisy)
        mse = nn.functional.mse_loss(out, clean)
        spec = spectral_loss(out, clean)
        loss = mse + 0.05 * spec
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % log_every == 0:
            run_log.write(step=step, lr=sched.get_last_lr()[0], mse=mse, spec=spec)  # <- culprit
        if step % 40 == 0:
            print(f"{step:4d} mse {mse.item():.4f} spectral {spec.item():.4f}")
    return run_log


if __name__ == "__main__":
    torch.manual_seed(0)
    text = train().render()
    print(text.splitlines()[0])
    print(text.splitlines()[-1])
