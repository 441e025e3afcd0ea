# gradwatch-corpus: kind=graph-chain
# holder: self.state | tracker.state | net.state
# first-bad: 1
import torch
import torch.nn as nn

DT = 0.1


class Oscillators:
    """A bank of noisy damped oscillators seen through a position sensor."""

    def __init__(self, n, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.F = torch.tensor([[1.0, DT], [-DT * 0.8, 1.0 - 0.05 * DT]])
        self.H = torch.tensor([[1.0, 0.0]])
        self.x = torch.randn(n, 2, generator=self.g)

    def step(self):
        w = torch.randn(self.x.shape, generator=self.g) * torch.tensor([0.01, 0.08])
        self.x = self.x @ self.F.t() + w
        v = 0.3 * torch.randn(self.x.size(0), 1, generator=self.g)
        return self.x @ self.H.t() + v, self.x


class GainNet(nn.Module):
    """Steady-state filter whose gain is trained rather than solved for."""

    def __init__(self, transition, observation):
        super().__init__()
        self.register_buffer("A", transition)
        self.register_buffer("C", observation)
        self.gain = nn.Linear(1, 2, bias=False)
        nn.init.constant_(self.gain.weight, 0.05)
        self.state = None

    def reset(self, n):
        self.state = torch.zeros(n, 2)

    def predict(self):
        return self.state @ self.A.t()

    def forward(self, y):
        prior = self.predict()
        innovation = y - (prior @ self.C.t()).detach()
        self.state = prior + self.gain(innovation)  # <- culprit
        return self.state


class Meter:
    def __init__(self, beta=0.98):
        self.beta, self.value = beta, None

    def add(self, x):
        self.value = x if self.value is None else self.beta * self.value + (1 - self.beta) * x


def main(steps=430, n=32):
    torch.manual_seed(17)
    world = Oscillators(n, seed=31)
    net = GainNet(world.F, world.H)
    net.reset(n)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=5e-4)
    err, raw = Meter(), Meter()
    for t in range(steps):
        y, truth = world.step()
        estimate = net(y)
        loss = (estimate - truth).pow(2).sum(1).mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        err.add((estimate[:, :1] - truth[:, :1]).detach().abs().mean().item())
        raw.add((y - truth[:, :1]).abs().mean().item())
        if t % 100 == 99:
            gain = net.gain.weight.detach().flatten().tolist()
            print(f"t={t + 1} filter err {err.value:.3f} sensor err {raw.value:.3f} "
                  f"gain [{gain[0]:.3f}, {gain[1]:.3f}]")


if __name__ == "__main__":
    main()
