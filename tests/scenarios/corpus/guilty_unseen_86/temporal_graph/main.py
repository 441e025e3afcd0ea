# gradwatch-corpus: kind=graph-chain
# holder: self.state | self.memory.state | memory.state | model.memory.state
# first-bad: 1
# notice: 5
"""Link prediction on a stream of timed interactions (user -> item)."""
import torch

from tgraph.model import StreamLinkPredictor
from tgraph.stream import InteractionStream


def run(n_batches=180, n_nodes=60, dim=16, seed=11):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    stream = InteractionStream(n_nodes, feat_dim=6, batch_size=24, seed=seed)
    model = StreamLinkPredictor(n_nodes, feat_dim=6, dim=dim)
    optim = torch.optim.Adam(model.parameters(), lr=3e-3)
    bce = torch.nn.BCEWithLogitsLoss()

    hits, seen = 0, 0
    for i, ev in enumerate(stream.batches(n_batches)):
        optim.zero_grad(set_to_none=True)
        pos, neg = model.score(ev)
        model.observe(ev)
        loss = bce(pos, torch.ones_like(pos)) + bce(neg, torch.zeros_like(neg))
        # the memory reads messages of the previous batch as well
        loss.backward(retain_graph=True)
        optim.step()
        hits += int((pos > neg).sum())
        seen += len(pos)
        if (i + 1) % 60 == 0:
            print(f"[{i + 1:4d}] loss={loss.item():.4f} acc={hits / seen:.3f}")
            hits = seen = 0


if __name__ == "__main__":
    run()
