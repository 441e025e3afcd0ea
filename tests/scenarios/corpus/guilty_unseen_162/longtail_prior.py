# gradwatch-corpus: kind=graph-chain
# holder: self._smoothed | adjuster._smoothed | model.adjust._smoothed | _smoothed
# first-bad: 1
"""Long-tailed classification with logit adjustment; the class prior is learned and smoothed."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(18)
CLASSES, DIM = 10, 24


class PriorAdjuster(nn.Module):
    def __init__(self, classes, beta=0.1, tau=1.0):
        super().__init__()
        self.log_prior = nn.Parameter(torch.zeros(classes))
        self.beta, self.tau = beta, tau
        self._smoothed = None

    @property
    def prior(self):
        if self._smoothed is None:
            self._smoothed = self.log_prior.detach().clone()
        if self.training:
            self._smoothed = torch.lerp(self._smoothed, self.log_prior, self.beta)  # <- culprit
        return self._smoothed  # <- culprit

    def forward(self, logits):
        return logits + self.tau * self.prior


class LongTailNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(DIM, 48), nn.GELU(), nn.Linear(48, 32), nn.GELU())
        self.head = nn.Linear(32, CLASSES)
        self.adjust = PriorAdjuster(CLASSES)

    def forward(self, x):
        return self.adjust(self.head(self.body(x)))


class LongTail:
    def __init__(self):
        self.means = 1.2 * torch.randn(CLASSES, DIM)
        self.freq = 0.6 ** torch.arange(CLASSES).float()

    def sample(self, n, balanced=False):
        w = torch.ones(CLASSES) if balanced else self.freq
        y = torch.multinomial(w, n, replacement=True)
        return self.means[y] + torch.randn(n, DIM), y


@torch.no_grad()
def balanced_accuracy(model, data):
    model.eval()
    x, y = data.sample(300, balanced=True)
    acc = (model(x) - model.adjust.prior).argmax(1).eq(y).float().mean().item()
    model.train()
    return acc


data = LongTail()
model = LongTailNet()
opt = torch.optim.AdamW(
    [
        {"params": list(model.body.parameters()) + list(model.head.parameters())},
        {"params": model.adjust.parameters(), "lr": 1e-2, "weight_decay": 0.0},
    ],
    lr=2e-3,
)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=[4e-3, 2e-2], total_steps=150)
for it in range(150):
    x, y = data.sample(64)
    loss = F.cross_entropy(model(x), y, label_smoothing=0.02)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if it % 30 == 29:
        print(f"{it:4d} loss {loss.item():.3f} balanced acc {balanced_accuracy(model, data):.3f}")
