# gradwatch-corpus: kind=none
"""State-of-health filter for battery packs, written with coroutines (`send`).

The filter coroutine keeps a latent state alive between two sends; the caller asks for
the objective when a service interval is over.  Readings with a broken sensor raise and are skipped."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)


class SensorFault(RuntimeError):
    def __init__(self, cycle, partial):
        super().__init__(f"NaN at cycle {cycle}")
        self.partial = partial


class Ageing(nn.Module):
    def __init__(self, d=12):
        super().__init__()
        self.d = d
        self.f = nn.Sequential(nn.Linear(d + 3, 24), nn.Tanh(), nn.Linear(24, d))
        self.soh = nn.Linear(d, 1)

    def advance(self, s, u):
        return s + 0.2 * self.f(torch.cat([s, u], 1))


def packs(seed, n=12):
    g = torch.Generator().manual_seed(seed)
    health = torch.ones(n, 1)
    cycle = 0
    while True:
        u = torch.rand(n, 3, generator=g)
        health = health - 0.01 * u[:, :1] * (1 + u[:, 1:2])
        health = torch.where(health < 0.5, torch.ones_like(health), health)
        reading = torch.cat([u[:, :2], u[:, 2:] * 0.1 + health], 1)
        if cycle % 97 == 96:
            reading[0, 2] = float("nan")
        yield cycle, reading, health
        cycle += 1


def health_filter(net, n):
    """yields the objective when sent None, else takes one (cycle, reading, health)"""
    state, errors = torch.zeros(n, net.d), []
    answer = None
    while True:
        msg = yield answer
        if msg is None:
            answer = torch.stack(errors).mean()
            errors = []
            state = state.detach()
            continue
        cycle, reading, target = msg
        state = checkpoint(net.advance, state, reading, use_reentrant=False)
        errors.append((net.soh(state) - target).square().mean())
        answer = errors[-1]


def screened(stream):
    for cycle, reading, health in stream:
        yield cycle, torch.nan_to_num(reading), health, bool(reading.isnan().any())


def interval(filt, stream, length):
    seen = 0
    while seen < length:
        cycle, reading, health, broken = next(stream)
        err = filt.send((cycle, reading, health))
        seen += 1
        if broken:
            raise SensorFault(cycle, err)
    objective = filt.send(None)
    return objective


def averaged(net, avg, decay):
    with torch.no_grad():
        for a, p in zip(avg.parameters(), net.parameters()):
            a.mul_(decay).add_(p, alpha=1 - decay)


def main(intervals=170):
    torch.manual_seed(6)
    net, avg = Ageing(), Ageing()
    avg.load_state_dict(net.state_dict())
    avg.requires_grad_(False)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    filt = health_filter(net, 12)
    next(filt)
    stream = screened(packs(1))
    faults, kept = [], []
    for k in range(intervals):
        length = 4 + k // 40
        try:
            loss = interval(filt, stream, length)
        except SensorFault as fault:
            faults.append((str(fault), fault.partial.item()))
            filt.close()
            filt = health_filter(net, 12)
            next(filt)
            continue
        opt.zero_grad()
        loss.backward()
        opt.step()
        averaged(net, avg, 0.98)
        kept.append(loss.item())
        if k % 30 == 0:
            print(f"{k:3d} x{length}  mse {sum(kept[-30:]) / len(kept[-30:]):.5f}  faults {len(faults)}")
    filt.close()
    print(faults[-1], "average bias", avg.soh.bias.item())


if __name__ == "__main__":
    main()
