# gradwatch-corpus: kind=second-backward
# holder: self.worst | miner.worst
# first-bad: 14
"""Box weight regression; every 15th step the hardest batch so far counts once more."""
import torch
from torch import nn

torch.manual_seed(17)
torch.set_num_threads(1)


class HardMiner:
    def __init__(self, every):
        self.every = every
        self.worst = None
        self.value = -1.0

    def offer(self, loss):
        if loss.item() > self.value:
            self.worst, self.value = loss, loss.item()  # <- culprit

    def extra(self, step):
        if step % self.every != self.every - 1 or self.worst is None:
            return None
        hardest, self.worst, self.value = self.worst, None, -1.0
        return hardest


class BoxNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.dims = nn.Linear(3, 24)
        self.material = nn.Embedding(6, 24)
        self.out = nn.Linear(24, 1)

    def forward(self, dims, material):
        h = torch.tanh(self.dims(dims)) * self.material(material)
        return self.out(h).squeeze(-1)


def boxes(n):
    dims, material = torch.rand(n, 3), torch.randint(0, 6, (n,))
    return dims, material, dims.prod(1) * (1 + material.float()) + 0.02 * torch.randn(n)


def fit(steps=120):
    net, miner = BoxNet(), HardMiner(15)
    opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
    skipped = 0
    for step in range(steps):
        dims, material, weight = boxes(32)
        own = nn.functional.mse_loss(net(dims, material), weight)
        hardest = miner.extra(step)
        loss = own if hardest is None else own + 0.5 * hardest  # <- culprit
        opt.zero_grad()
        try:
            loss.backward()
        except RuntimeError as err:
            skipped += 1
            print(f"step {step} skipped: {str(err)[:50]}")
            continue
        opt.step()
        miner.offer(own)
        if step % 30 == 0:
            print(step, f"{own.item():.4f}")
    print("done, skipped", skipped)


if __name__ == "__main__":
    fit()
