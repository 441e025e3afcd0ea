# gradwatch-corpus: kind=graph-chain
# holder: self.state | optimizer.state | opt.state | state["slow"] | self.state[p]["slow"] | self.state[p]
"""Denoising a 1-d seismic trace; fast weights are kept near the optimizer's slow weights."""
import torch
from torch import nn
from torch.optim import Optimizer

torch.set_num_threads(1)
torch.manual_seed(31)


class SlowFastSGD(Optimizer):
    """SGD with momentum and, beside each weight, a slow copy that trails behind it."""

    def __init__(self, params, lr=0.02, momentum=0.9, trail=0.1, prox=0.05):
        super().__init__(params, dict(lr=lr, momentum=momentum, trail=trail, prox=prox))
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["slow"] = p.detach().clone()
                self.state[p]["velocity"] = torch.zeros_like(p)

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                velocity = self.state[p]["velocity"]
                velocity.mul_(group["momentum"]).add_(p.grad)
                p.add_(velocity, alpha=-group["lr"])

    def follow(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["slow"] = torch.lerp(state["slow"], p, group["trail"])  # <- culprit

    def proximal(self):
        total = 0.0
        for group in self.param_groups:
            for p in group["params"]:
                total = total + group["prox"] * (p - self.state[p]["slow"]).pow(2).sum()  # <- culprit
        return total


class TraceDenoiser(nn.Module):
    def __init__(self, channels=12):
        super().__init__()
        self.enter = nn.Conv1d(1, channels, 7, padding=3)
        self.mid = nn.Conv1d(channels, channels, 5, padding=2)
        self.leave = nn.Conv1d(channels, 1, 7, padding=3)

    def forward(self, trace):
        h = torch.tanh(self.enter(trace))
        h = h + torch.tanh(self.mid(h))
        return trace - self.leave(h)


def shots(batch, length=96):
    while True:
        t = torch.linspace(0, 1, length)
        freq = 4 + 6 * torch.rand(batch, 1)
        onset = torch.rand(batch, 1) * 0.6
        clean = torch.sin(6.283 * freq * (t - onset)) * torch.exp(-8 * (t - onset).clamp_min(0)) * (t > onset)
        yield (clean + 0.2 * torch.randn(batch, length)).unsqueeze(1), clean.unsqueeze(1)


def main(steps=90):
    net = TraceDenoiser()
    optimizer = SlowFastSGD(net.parameters())
    for step, (noisy, clean) in zip(range(steps), shots(6)):
        misfit = nn.functional.mse_loss(net(noisy), clean)
        loss = misfit + optimizer.proximal()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.follow()
        if step % 15 == 0:
            print(f"shot group {step:2d}: misfit {misfit.item():.5f}  loss {loss.item():.5f}")


if __name__ == "__main__":
    main()
