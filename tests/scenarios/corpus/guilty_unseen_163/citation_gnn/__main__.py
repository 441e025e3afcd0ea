# gradwatch-corpus: kind=graph-chain
# holder: self.cached | model.prop.cached
# first-bad: 1
"""Node classification, my own variant of APPNP with warm start."""
import time

import torch
import torch.nn.functional as F

from .graph import random_citation_graph
from .layers import WarmAPPNP


def main():
    torch.set_num_threads(1)
    torch.manual_seed(7)
    x, adj, y, mask = random_citation_graph()
    model = WarmAPPNP(x.size(1), int(y.max()) + 1, adj)
    opt = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)

    for epoch in range(80):
        tick = time.time()
        model.train()
        opt.zero_grad()
        out = model(x)
        loss = F.cross_entropy(out[mask], y[mask])
        loss.backward(retain_graph=True)
        opt.step()
        acc = (out.argmax(1)[~mask] == y[~mask]).float().mean().item()
        if epoch % 10 == 0:
            print(f"epoch {epoch:3d} loss {loss.item():.4f} test {acc:.3f} {1e3 * (time.time() - tick):.1f}ms")


if __name__ == "__main__":
    main()
