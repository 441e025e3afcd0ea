# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
from torch.func import functional_call

from tasks import ReactionFamily

INNER_LR = 0.1
INNER_STEPS = 3
META_BATCH = 4
META_ITERS = 60


def adapt(net, x, y, create_graph):
    fast = dict(net.named_parameters())
    trace = []
    for _ in range(INNER_STEPS):
        loss = (functional_call(net, fast, (x,)) - y).pow(2).mean()
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=create_graph)
        fast = {k: v - INNER_LR * g for (k, v), g in zip(fast.items(), grads)}
        trace.append(loss)
    return fast, trace


def main():
    torch.manual_seed(51)
    gen = torch.Generator().manual_seed(51)
    net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    meta_opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    best = None
    best_state = None
    last_traces = []
    for it in range(META_ITERS):
        meta_loss = 0.0
        last_traces = []
        for _ in range(META_BATCH):
            family = ReactionFamily(gen)
            xs, ys = family.measure(10)
            xq, yq = family.measure(10)
            fast, trace = adapt(net, xs, ys, create_graph=True)
            last_traces.append([t.item() for t in trace])
            meta_loss = meta_loss + (functional_call(net, fast, (xq,)) - yq).pow(2).mean()
        meta_loss = meta_loss / META_BATCH
        meta_opt.zero_grad()
        meta_loss.backward()
        meta_opt.step()
        if best is None or meta_loss.item() < best:
            best = meta_loss.item()
            best_state = {k: v.clone() for k, v in net.state_dict().items()}
        if it % 12 == 0:
            first = sum(t[0] for t in last_traces) / META_BATCH
            print("meta", it, "query", round(meta_loss.item(), 4), "before", round(first, 4))

    net.load_state_dict(best_state)
    family = ReactionFamily(gen)
    xs, ys = family.measure(10)
    fast, trace = adapt(net, xs, ys, create_graph=False)
    print("new family", [round(t.item(), 4) for t in trace])


if __name__ == "__main__":
    main()
