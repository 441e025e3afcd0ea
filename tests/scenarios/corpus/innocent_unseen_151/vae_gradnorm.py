# gradwatch-corpus: kind=none
import argparse

import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description="VAE with balanced reconstruction, KL and label terms")
parser.add_argument("--batch-size", type=int, default=20)
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--alpha", type=float, default=0.5)
parser.add_argument("--log-interval", type=int, default=15)
args = parser.parse_args()
torch.set_num_threads(1)
torch.manual_seed(1)

labels = torch.randint(0, 5, (600,))
images = torch.sigmoid(torch.randn(5, 49)[labels] * 2 + 0.3 * torch.randn(600, 49))
train_loader = DataLoader(TensorDataset(images[:500], labels[:500]), batch_size=args.batch_size, shuffle=True)
test_loader = DataLoader(TensorDataset(images[500:], labels[500:]), batch_size=50)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc21, self.fc22 = nn.Linear(49, 40), nn.Linear(40, 6), nn.Linear(40, 6)
        self.fc3, self.fc4 = nn.Linear(6, 40), nn.Linear(40, 49)
        self.label = nn.Linear(6, 5)

    def forward(self, x):
        h1 = F.relu(self.fc1(x))
        mu, logvar = self.fc21(h1), self.fc22(h1)
        z = mu + torch.exp(0.5 * logvar) * torch.randn_like(mu) if self.training else mu
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z)))), self.label(z), mu, logvar


def loss_terms(out, x, y):
    recon, logits, mu, logvar = out
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1).mean()
    return torch.stack([F.binary_cross_entropy(recon, x, reduction="sum") / len(x), kld, F.cross_entropy(logits, y)])


class GradNorm(nn.Module):
    def __init__(self, tasks, shared, alpha):
        super().__init__()
        self.w = nn.Parameter(torch.ones(tasks))
        self.shared, self.alpha = shared, alpha
        self.initial = None

    def weight_loss(self, terms):
        if self.initial is None:
            self.initial = terms.detach().clone()
        norms = []
        for w, term in zip(self.w, terms):
            g = torch.autograd.grad(w * term, self.shared, retain_graph=True, create_graph=True)[0]
            norms.append(g.norm())
        norms = torch.stack(norms)
        ratio = terms.detach() / self.initial
        target = (norms.mean() * (ratio / ratio.mean()) ** self.alpha).detach()
        return (norms - target).abs().sum()

    @torch.no_grad()
    def renormalise(self):
        self.w.clamp_(min=0.05)
        self.w.mul_(len(self.w) / self.w.sum())


model = VAE()
balancer = GradNorm(3, model.fc1.weight, args.alpha)
optimizer = optim.Adam(model.parameters(), lr=2e-3)
optimizer_w = optim.Adam(balancer.parameters(), lr=1e-2)
for epoch in range(1, args.epochs + 1):
    model.train()
    sums = torch.zeros(3)
    for batch_idx, (x, y) in enumerate(train_loader):
        terms = loss_terms(model(x), x, y)
        optimizer.zero_grad()
        (balancer.w.detach() * terms).sum().backward(retain_graph=True)
        w_loss = balancer.weight_loss(terms)
        balancer.w.grad = torch.autograd.grad(w_loss, balancer.w)[0]
        optimizer.step()
        optimizer_w.step()
        balancer.renormalise()
        sums += terms.detach()
        if batch_idx % args.log_interval == 0:
            print(f"Train Epoch: {epoch} [{batch_idx}/{len(train_loader)}] w {[round(v, 2) for v in balancer.w.tolist()]}")
    model.eval()
    with torch.no_grad():
        test = sum(loss_terms(model(x), x, y) for x, y in test_loader) / len(test_loader)
    print(f"====> Epoch {epoch} train {(sums / len(train_loader)).tolist()} test {test.tolist()}")
