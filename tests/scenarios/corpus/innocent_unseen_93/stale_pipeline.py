# gradwatch-corpus: kind=none
"""Simulates asynchronous pipeline training: gradients arrive K steps late and belong to the
weights of that time. A ring holds the K latest copies of the weights with the losses that
were computed from them; the oldest one is differentiated at each step."""
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)


class Pipeline:
    def __init__(self, net, criterion, slots):
        self.net = net
        self.criterion = criterion
        self.slots = slots
        self.ring = [None] * slots
        self.head = 0

    def submit(self, x, y):
        """Starts a microbatch; returns what was in its slot before."""
        weights = {n: p.detach().clone().requires_grad_() for n, p in self.net.named_parameters()}
        out = functional_call(self.net, weights, (x,))
        loss = self.criterion(out, y)
        finished = self.ring[self.head]
        self.ring[self.head] = (weights, loss)
        self.head = (self.head + 1) % self.slots
        return finished

    def staleness(self, weights):
        with torch.no_grad():
            d = sum((weights[n] - p).pow(2).sum() for n, p in self.net.named_parameters())
        return d.sqrt().item()


class Turbine:
    """power from wind speed, direction, pitch"""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def measure(self, n):
        x = torch.rand(n, 3, generator=self.g) * 2 - 1
        power = torch.sigmoid(4 * x[:, 0]) * torch.cos(x[:, 1]) * (1 - 0.5 * x[:, 2] ** 2)
        return x, power[:, None]


def main(k=7, steps=420):
    torch.manual_seed(10)
    net = nn.Sequential(nn.Linear(3, 32), nn.ELU(), nn.Linear(32, 32), nn.ELU(), nn.Linear(32, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    pipe = Pipeline(net, nn.MSELoss(), k)
    plant = Turbine(3)
    names = [n for n, _ in net.named_parameters()]
    step = 0
    while step < steps:
        done = pipe.submit(*plant.measure(24))
        if done is None:
            continue            # the pipeline fills
        weights, loss = done
        grads = torch.autograd.grad(loss, [weights[n] for n in names])
        for p, g in zip(net.parameters(), grads):
            p.grad = g
        opt.step()
        step += 1
        if step % 70 == 0:
            print(f"step {step} loss {loss.item():.5f} distance to stale weights {pipe.staleness(weights):.4f}")


if __name__ == "__main__":
    main()
