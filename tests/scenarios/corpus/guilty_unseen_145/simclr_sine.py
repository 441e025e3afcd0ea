# gradwatch-corpus: kind=graph-held
# holder: runner.rejects | self.rejects
# first-bad: 2
# notice: 8
import torch

torch.set_num_threads(1)
from torch import nn
from torch.nn import functional as F


class CollapsedBatch(RuntimeError):
    pass


def nt_xent(z1, z2, temperature):
    n = len(z1)
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    logits = z @ z.t() / temperature
    logits = logits.masked_fill(torch.eye(2 * n, dtype=torch.bool), -1e9)
    labels = (torch.arange(2 * n) + n) % (2 * n)
    loss = F.cross_entropy(logits, labels)
    if (z[:n - 1] - z[1:n]).norm(dim=1).min() < 1e-6:
        raise CollapsedBatch("identical embeddings inside the batch")
    return loss


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 6, 5, stride=2)
        self.fc = nn.Linear(6 * 14, 16)
        self.proj = nn.Sequential(nn.ReLU(), nn.Linear(16, 8))

    def forward(self, x):
        return self.proj(self.fc(F.relu(self.conv(x)).flatten(1)))


class Runner:
    def __init__(self):
        self.net = Encoder()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.rejects = []
        self.step_no = 0

    def views(self, n=10):
        freq = 1 + 4 * torch.rand(n, 1)
        t = torch.linspace(0, 6.28, 32)
        base = torch.sin(freq * t)
        if self.step_no % 3 == 1:
            base[1] = base[0]
            return base[:, None].clone(), base[:, None] + 0.05 * torch.randn(n, 1, 32)
        return (base[:, None] * (0.8 + 0.4 * torch.rand(n, 1, 1)) + 0.05 * torch.randn(n, 1, 32),
                base[:, None] + 0.05 * torch.randn(n, 1, 32))

    def step(self):
        a, b = self.views()
        try:
            loss = nt_xent(self.net(a), self.net(b), 0.5)
        except CollapsedBatch as err:
            self.rejects.append(err)  # <- culprit
            loss = nt_xent(self.net(a[1:]), self.net(b[1:]), 1.0)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.step_no += 1
        return loss.item()


torch.manual_seed(3)
runner = Runner()
trace = [runner.step() for _ in range(480)]
print(f"loss {trace[0]:.3f} -> {trace[-1]:.3f}; {len(runner.rejects)} rejected, last: {runner.rejects[-1]}")
