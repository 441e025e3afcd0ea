# gradwatch-corpus: kind=graph-chain
# holder: self.table | memory.table | self.memory.table | model.memory.table
# first-bad: 1
# notice: 5
import torch
import torch.nn.functional as F

from .events import EventStream
from .model import LinkPredictor

torch.set_num_threads(1)


def run():
    torch.manual_seed(77)
    stream = EventStream(n_nodes=40, n_events=1280)
    model = LinkPredictor(n_nodes=40, dim=16, edge_dim=4)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step, ev in enumerate(stream.batches(16)):
        pos, neg = model.score(ev.src, ev.dst), model.score(ev.src, ev.fake)
        loss = F.softplus(-pos).mean() + F.softplus(neg).mean()
        opt.zero_grad()
        if loss.requires_grad:
            loss.backward(retain_graph=True)
            opt.step()
        model.observe(ev)
        if step % 16 == 0:
            auc = (pos[:, None] > neg[None]).float().mean().item()
            print(f"{step:3d} loss {loss.item():.4f} auc {auc:.3f}")


run()
