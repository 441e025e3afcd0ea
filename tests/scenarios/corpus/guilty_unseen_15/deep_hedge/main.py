# gradwatch-corpus: kind=memory-climb
# holder: simulate_paths | market.simulate_paths | simulate_paths.cache | lru_cache | heston_paths | cache
# first-bad: 1
"""Deep hedging of a short call under Heston dynamics: a network chooses the hedge
ratios, the entropic risk of the terminal P&L is minimised."""
import torch

from market import MarketSpec, scenario_seeds, simulate_paths
from strategy import HedgeNet, entropic_risk, terminal_pnl

SPEC = MarketSpec(steps=20, dt=1 / 52)


def realised_vol(seed, paths):
    spot, _ = simulate_paths(SPEC, paths, seed)
    r = spot.log().diff(dim=1)
    return (r.std() / SPEC.dt ** 0.5).item()


def train(iterations=220, paths=2048, lr=4e-3):
    net = HedgeNet(hidden=16)
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    averages = {"risk": 0.0, "vol": 0.0}
    for it, seed in zip(range(iterations), scenario_seeds()):
        spot, var = simulate_paths(SPEC, paths, seed)
        pnl = terminal_pnl(net, spot, var, strike=1.0, cost=0.001)
        risk = entropic_risk(pnl, aversion=20.0)
        opt.zero_grad()
        risk.backward()
        opt.step()
        # same scenario as above, served from the first call
        for name, value in (("risk", risk.item()), ("vol", realised_vol(seed, paths))):
            averages[name] = value if it == 0 else 0.95 * averages[name] + 0.05 * value
        if (it + 1) % 55 == 0:
            print(f"{it + 1:4d}  entropic risk {averages['risk']:.4f}  realised vol {averages['vol']:.3f}")
    return net


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.set_num_threads(1)
    train()
