# gradwatch-corpus: kind=graph-held
# holder: self.net.stem[0].weight._backward_hooks | weight._backward_hooks | stem_weight._backward_hooks | net.stem[0].weight._backward_hooks | stem_weight | loss | trainer.net.stem[0].weight
# first-bad: 1
"""Age + expression from face embeddings, two heads, an optimizer for the stem and one for the heads.
Tracks how hard either task pulls at the stem, to choose the task weight later."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(8)


class FaceNet(nn.Module):
    def __init__(self, d=32, h=64):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.LayerNorm(h), nn.Linear(h, h), nn.GELU())
        self.heads = nn.ModuleDict({"age": nn.Linear(h, 1), "expr": nn.Linear(h, 5)})

    def forward(self, x):
        z = self.stem(x)
        return {k: head(z) for k, head in self.heads.items()}


class Embeddings(torch.utils.data.Dataset):
    def __init__(self, n=2400, d=32):
        g = torch.Generator().manual_seed(15)
        self.x = torch.randn(n, d, generator=g)
        a = torch.randn(d, generator=g) / d ** 0.5
        e = torch.randn(d, 5, generator=g) / d ** 0.5
        self.age = torch.tanh(self.x @ a) + 0.1 * torch.randn(n, generator=g)
        self.expr = ((self.x.abs() - 0.8) @ e).argmax(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.age[i], self.expr[i]


class PullMeter:
    """Gradient norm at the stem, relative to the size of the loss."""

    def __init__(self, beta=0.95):
        self.beta = beta
        self.value = 0.0

    def __call__(self, grad, loss):
        rel = grad.norm().item() / (abs(loss.item()) + 1e-8)
        self.value = self.beta * self.value + (1 - self.beta) * rel


class TwoOptimizerTrainer:
    def __init__(self, net, w_expr=0.7):
        self.net = net
        self.w_expr = w_expr
        self.opt_stem = torch.optim.SGD(net.stem.parameters(), lr=0.03, momentum=0.9)
        self.opt_heads = torch.optim.Adam(net.heads.parameters(), lr=2e-3)
        self.meter = PullMeter()
        self.seen = 0

    def losses(self, batch):
        x, age, expr = batch
        out = self.net(x)
        return F.smooth_l1_loss(out["age"].squeeze(1), age), F.cross_entropy(out["expr"], expr)

    def watch(self, loss):
        stem_weight = self.net.stem[0].weight
        stem_weight.register_hook(lambda g: self.meter(g, loss))  # <- culprit

    def train_step(self, batch):
        l_age, l_expr = self.losses(batch)
        loss = (1 - self.w_expr) * l_age + self.w_expr * l_expr
        self.watch(loss)  # <- culprit
        self.opt_stem.zero_grad()
        self.opt_heads.zero_grad()
        loss.backward()
        self.opt_heads.step()
        self.opt_stem.step()
        self.seen += 1
        return l_age.item(), l_expr.item()

    def fit(self, loader, epochs):
        for ep in range(epochs):
            tot_a = tot_e = 0.0
            for batch in loader:
                a, e = self.train_step(batch)
                tot_a += a
                tot_e += e
            n = len(loader)
            print(f"epoch {ep}: age {tot_a / n:.4f}  expr {tot_e / n:.4f}  pull {self.meter.value:.3f}  ({self.seen} steps)")


def main():
    ds = Embeddings()
    loader = torch.utils.data.DataLoader(ds, batch_size=48, shuffle=True, drop_last=True,
                                         generator=torch.Generator().manual_seed(1))
    trainer = TwoOptimizerTrainer(FaceNet())
    trainer.fit(loader, epochs=5)


main()
