# gradwatch-corpus: kind=graph-chain
# holder: criterion.running | self.running
# first-bad: 1
# notice: 5
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(64)


class BalancedBCE(nn.Module):
    """BCE divided by its own moving average, so that the lr does not need retuning."""

    def __init__(self, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.running = None

    def forward(self, logit, y):
        raw = F.binary_cross_entropy_with_logits(logit, y)
        if self.running is None:
            self.running = raw.detach()
        else:
            self.running = self.momentum * self.running + (1 - self.momentum) * raw  # <- culprit
        return raw / (self.running + 1e-6)


customers = torch.randn(500, 9)
left = (customers @ torch.randn(9, 1) + 0.3 * torch.randn(500, 1) > 0).float()

logreg = nn.Linear(9, 1)
criterion = BalancedBCE()
sgd = torch.optim.SGD(logreg.parameters(), lr=0.05, momentum=0.5)

for it in range(240):
    rows = torch.randint(0, 500, (20,))
    sgd.zero_grad()
    loss = criterion(logreg(customers[rows]), left[rows])
    loss.backward(retain_graph=True)
    sgd.step()
    if it % 60 == 0:
        with torch.no_grad():
            acc = ((logreg(customers) > 0).float() == left).float().mean().item()
        print(it, loss.item(), acc)
