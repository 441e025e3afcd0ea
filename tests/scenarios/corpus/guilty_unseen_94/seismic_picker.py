# gradwatch-corpus: kind=graph-held
# holder: self.rejected | picker.rejected | err.misfit | exc.misfit | self.rejected[-1].misfit
# first-bad: 3
# notice: 8
"""First-arrival picking on synthetic shot gathers.

Some gathers are hopeless (dead channels, wrong polarity). The criterion refuses
those and the run goes on with the next gather; the refused ones are listed at the end.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
SEED = 404


class RejectedGather(Exception):
    def __init__(self, shot, misfit):
        super().__init__(f"shot {shot} refused")
        self.shot = shot
        self.misfit = misfit  # <- culprit


class Gathers:
    """Ricker wavelets along a linear moveout; one in three gathers is damaged."""

    def __init__(self, channels=12, samples=64):
        self.channels, self.samples = channels, samples
        self.t = torch.arange(samples, dtype=torch.float32)

    def __getitem__(self, shot):
        g = torch.Generator().manual_seed(SEED + shot)
        t0 = 8 + 6 * torch.rand(1, generator=g)
        slow = 1.0 + 2.0 * torch.rand(1, generator=g)
        onset = t0 + slow * torch.arange(self.channels)
        a = ((self.t[None] - onset[:, None] - 3) / 2.0) ** 2
        trace = (1 - 2 * a) * torch.exp(-a)
        trace = trace + 0.1 * torch.randn(trace.shape, generator=g)
        if shot % 3 == 0:
            dead = torch.randperm(self.channels, generator=g)[: self.channels // 2]
            trace[dead] = 0.02 * torch.randn(len(dead), self.samples, generator=g)
            trace = -trace
        return trace, onset


class PickNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(1, 8, 9, padding=4)
        self.c2 = nn.Conv1d(8, 8, 9, padding=4)
        self.c3 = nn.Conv1d(8, 1, 5, padding=2)

    def forward(self, x):
        h = F.gelu(self.c1(x[:, None]))
        h = F.gelu(self.c2(h))
        p = self.c3(h).squeeze(1).softmax(-1)
        return p


class RobustPickLoss:
    def __init__(self, samples, factor=1.15, decay=0.95):
        self.grid = torch.arange(samples, dtype=torch.float32)
        self.factor, self.decay = factor, decay
        self.level = None

    def __call__(self, prob, onset, shot):
        pick = prob @ self.grid
        misfit = F.smooth_l1_loss(pick, onset) / 10
        misfit = misfit - 0.02 * (prob.clamp_min(1e-8).log() * F.one_hot(onset.round().long().clamp(0, 63), 64)).sum(-1).mean()
        value = misfit.item()
        if self.level is None:
            self.level = value
        if shot % 3 == 0 and value > self.level / self.factor:
            raise RejectedGather(shot, misfit)  # <- culprit
        self.level = self.decay * self.level + (1 - self.decay) * value
        return misfit


class Picker:
    def __init__(self):
        self.net = PickNet()
        self.loss = RobustPickLoss(64)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=3e-3)
        self.rejected = []

    def fit(self, gathers, steps):
        done, shot, window = 0, 1, []
        while done < steps:
            trace, onset = gathers[shot]
            try:
                misfit = self.loss(self.net(trace), onset, shot)
            except RejectedGather as err:
                self.rejected.append(err)  # <- culprit
                shot += 1
                continue
            self.opt.zero_grad()
            misfit.backward()
            self.opt.step()
            window.append(misfit.item())
            shot += 1
            done += 1
            if done % 60 == 0:
                print(f"{done:4d}/{shot:4d}  misfit {sum(window) / len(window):.4f}  refused {len(self.rejected)}")
                window.clear()


if __name__ == "__main__":
    torch.manual_seed(SEED)
    picker = Picker()
    picker.fit(Gathers(), steps=300)
    worst = max(picker.rejected, key=lambda e: e.misfit.item())
    print("refused shots:", [e.shot for e in picker.rejected][:12], "...")
    print(f"worst: {worst} with misfit {worst.misfit.item():.3f}")
