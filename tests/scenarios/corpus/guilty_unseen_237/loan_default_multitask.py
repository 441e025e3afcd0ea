# gradwatch-corpus: kind=inplace-modified
# first-bad: 25
"""Default + loss-given-default heads on one trunk; the LGD head joins once the trunk has settled."""
import torch
from torch import nn


class LoanBook:
    columns = ["income", "dti", "utilisation", "age_of_file", "inquiries", "term", "ltv", "amount"]

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, len(self.columns), generator=g)
        hazard = 0.8 * self.x[:, 1] + 0.6 * self.x[:, 2] - 0.5 * self.x[:, 0] - 1
        self.default = (torch.sigmoid(hazard) > torch.rand(n, generator=g)).float()
        self.lgd = torch.sigmoid(self.x[:, 6] + 0.2 * torch.randn(n, generator=g))
        self.g = g

    def sample(self, n):
        i = torch.randint(0, len(self.x), (n,), generator=self.g)
        return self.x[i], self.default[i], self.lgd[i]


class TwoHeads(nn.Module):
    def __init__(self, n_in, width=48):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(n_in, width),
            nn.Tanh(),
            nn.Linear(width, width),
            nn.Tanh(),
        )
        self.pd_head = nn.Linear(width, 1)
        self.lgd_head = nn.Sequential(nn.Linear(width, 16), nn.Tanh(), nn.Linear(16, 1))


class Trainer:
    def __init__(self, book, joint_from=25):
        self.book = book
        self.net = TwoHeads(len(book.columns))
        self.joint_from = joint_from
        self.bce = nn.BCEWithLogitsLoss()
        self.pd_opt = torch.optim.Adam(
            list(self.net.trunk.parameters()) + list(self.net.pd_head.parameters()), lr=2e-3
        )
        self.lgd_opt = torch.optim.Adam(
            list(self.net.trunk.parameters()) + list(self.net.lgd_head.parameters()), lr=1e-3
        )
        self.curves = {"pd": [], "lgd": []}

    def step(self, i):
        x, default, lgd = self.book.sample(128)
        h = self.net.trunk(x)
        pd_loss = self.bce(self.net.pd_head(h).squeeze(1), default)
        joint = i >= self.joint_from

        self.pd_opt.zero_grad()
        pd_loss.backward(retain_graph=joint)
        self.pd_opt.step()  # <- culprit
        self.curves["pd"].append(pd_loss.item())

        if joint:
            bad = default.bool()
            lgd_hat = torch.sigmoid(self.net.lgd_head(h[bad])).squeeze(1)  # <- culprit
            lgd_loss = nn.functional.mse_loss(lgd_hat, lgd[bad])
            self.lgd_opt.zero_grad()
            lgd_loss.backward()  # <- culprit
            self.lgd_opt.step()
            self.curves["lgd"].append(lgd_loss.item())

    def run(self, n):
        for i in range(n):
            self.step(i)
            if i % 20 == 0:
                tail = {k: f"{v[-1]:.4f}" for k, v in self.curves.items() if v}
                print(f"step {i}: {tail}")


if __name__ == "__main__":
    torch.manual_seed(41)
    trainer = Trainer(LoanBook(5000, seed=41))
    trainer.run(100)
