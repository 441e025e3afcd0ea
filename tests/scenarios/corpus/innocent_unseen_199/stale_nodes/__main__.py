# gradwatch-corpus: kind=none
import torch

try:
    from .graph import Community
    from .model import NodeNet
    from .store import StaleStore
except ImportError:
    import os
    import sys
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from graph import Community
    from model import NodeNet
    from store import StaleStore


def train(iterations=500):
    torch.manual_seed(50)
    world = Community(240, 4, seed=51)
    net = NodeNet(world.features.shape[1], 24, 4)
    store = StaleStore(dim=24, ttl=12)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3, weight_decay=1e-4)
    rows = []
    for it in range(iterations):
        nodes = world.batch(24)
        store.advance()
        hidden = net.lift(world.features[nodes])
        around = torch.stack([store.mean(world.neighbours[n]) for n in nodes.tolist()])
        logits = net(hidden, around)
        loss = torch.nn.functional.cross_entropy(logits, world.labels[nodes])
        opt.zero_grad()
        loss.backward()
        opt.step()
        store.write(nodes.tolist(), hidden)
        rows.append((loss.item(), (logits.argmax(-1) == world.labels[nodes]).float().mean()))
        if it % 100 == 99:
            acc = torch.stack([r[1] for r in rows[-100:]]).mean().item()
            print(f"{it + 1} loss {rows[-1][0]:.3f} acc {acc:.3f} fresh {len(store)}")


if __name__ == "__main__":
    train()
