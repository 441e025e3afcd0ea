# gradwatch-corpus: kind=graph-chain
# holder: self.value | multiplier.value | dual.value
# first-bad: 1
"""Portfolio policy with a risk budget, trained with a primal-dual method (SO question, code shortened)."""
import torch
from torch import nn

from .market import Market
from .multiplier import Multiplier

torch.set_num_threads(1)


class Policy(nn.Module):
    def __init__(self, n_feat, n_assets):
        super().__init__()
        self.lin = nn.Linear(n_feat, n_assets)

    def forward(self, x):
        return self.lin(x).softmax(dim=-1)


def main():
    torch.manual_seed(11)
    market = Market(seed=5)
    policy = Policy(market.n_feat, market.risk.numel())
    opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
    dual = Multiplier(rho=0.4)
    budget = 0.35

    for step in range(110):
        x, ret = market.days(64)
        w = policy(x)
        gain = (w * ret).sum(-1).mean()
        violation = (w @ market.risk).mean() - budget
        loss = -gain + dual.penalty(violation)

        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        lam = dual.ascend(violation)  # <- culprit

        if step % 20 == 0:
            print(f"{step:4d} gain {gain.item():+.4f} violation {violation.item():+.4f} lambda {lam:.3f}")


if __name__ == "__main__":
    main()
