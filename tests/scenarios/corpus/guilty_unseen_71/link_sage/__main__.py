# gradwatch-corpus: kind=graph-held
# holder: self._energy | probe._energy | self._energy[module] | probe._energy[module] | trail | readings
# first-bad: 1
# notice: 8
"""Link prediction on a small community graph with a two layer SAGE encoder."""
import torch
import torch.nn.functional as F

from .data import community_graph, negatives
from .model import SageEncoder, link_scores
from .probes import SmoothnessProbe


def evaluate(enc, x, graph, held_out, gen):
    enc.eval()
    with torch.no_grad():
        z = enc(x, graph)
        pos = link_scores(z, held_out)
        neg = link_scores(z, negatives(len(x), held_out.size(1), gen))
        auc = (pos[:, None] > neg[None, :]).float().mean().item()
    enc.train()
    return auc


def main(steps=120):
    torch.set_num_threads(1)
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(2)
    x, edges = community_graph(groups=4, size=20, gen=gen)
    perm = torch.randperm(edges.size(1), generator=gen)
    held_out, graph = edges[:, perm[:60]], edges[:, perm[60:]]
    enc = SageEncoder(x.size(1), 24, 12)
    probe = SmoothnessProbe(graph).attach(enc)
    opt = torch.optim.Adam(enc.parameters(), lr=5e-3, weight_decay=1e-4)
    for step in range(steps):
        z = enc(x, graph)
        pick = torch.randint(graph.size(1), (128,), generator=gen)
        pos = link_scores(z, graph[:, pick])
        neg = link_scores(z, negatives(len(x), 128, gen))
        loss = F.softplus(-pos).mean() + F.softplus(neg).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 30 == 29:
            auc = evaluate(enc, x, graph, held_out, gen)
            print(f"{step + 1:4d} loss {loss.item():.4f} auc {auc:.3f} smoothness {probe.summary()}")
    probe.detach()


main()
