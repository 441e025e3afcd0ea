# gradwatch-corpus: kind=none
"""One encoder, two heads (caption of three words and number of objects). The
weights of the two losses follow the norms of their gradients on the encoder."""
import torch
import torch.nn as nn

from engine import Balancer, Meter, train_step, validate
from scenes import N_COLOURS, N_SHAPES, Scenes


class TwoHead(nn.Module):
    def __init__(self, feat, hidden=40):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(feat, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.start = nn.Embedding(1, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.word = nn.Linear(hidden, N_COLOURS + N_SHAPES + 4)
        self.count = nn.Linear(hidden, 4)
        self.feedback = nn.Embedding(N_COLOURS + N_SHAPES + 4, hidden)

    def forward(self, x, words=None, length=3):
        h = self.encoder(x)
        counts = self.count(h)
        inp = self.start(torch.zeros(len(x), dtype=torch.long))
        logits = []
        for t in range(length):
            h = self.cell(inp, h)
            out = self.word(h)
            logits.append(out)
            nxt = words[:, t] if words is not None else out.argmax(-1)
            inp = self.feedback(nxt)
        return torch.stack(logits, dim=1), counts


def main(steps=300, batch=32):
    torch.manual_seed(9)
    scenes = Scenes()
    model = TwoHead(scenes.n_feat)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    balancer = Balancer(list(model.encoder.parameters()), n_tasks=2)
    meters = {"caption": Meter(), "count": Meter()}
    val_batches = [scenes.batch(64) for _ in range(2)]

    for step in range(1, steps + 1):
        values = train_step(model, scenes.batch(batch), optimizer, balancer)
        for name, value in values.items():
            meters[name].add(value)
        if step % 75 == 0:
            words, count = validate(model, val_batches)
            print("%4d  caption %.3f  count %.3f  weights %s  word acc %.2f  count acc %.2f" % (
                step, meters["caption"].mean, meters["count"].mean,
                [round(w, 2) for w in balancer.weights.tolist()], words, count))
            for m in meters.values():
                m.reset()


if __name__ == "__main__":
    main()
