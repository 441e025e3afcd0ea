# gradwatch-corpus: kind=graph-held
# holder: probe.stats['stem.1'].mean | self.stats | probe.stats | self.stats[name] | st.mean | st.peak | self.mean | self.peak
# first-bad: 1
import torch
from torch import nn

from .data import batches
from .models import build
from .probes import ActivationProbe

CONF = {
    "model": {"name": "conv_tagger", "n_tags": 6, "width": 16},
    "optim": {"lr": 2e-3, "weight_decay": 1e-4},
    "steps": 90,
    "batch": 24,
    "report_every": 30,
}


def train(conf):
    torch.manual_seed(0)
    model = build(**conf["model"])
    opt = torch.optim.AdamW(model.parameters(), **conf["optim"])
    bce = nn.BCEWithLogitsLoss()
    probe = ActivationProbe(momentum=0.95).attach(model, kinds=(nn.ReLU, nn.BatchNorm1d))
    stream = batches(conf["steps"], conf["batch"], conf["model"]["n_tags"])
    for i, (wave, tags) in enumerate(stream, 1):
        opt.zero_grad()
        loss = bce(model(wave), tags)
        loss.backward()
        opt.step()
        if i % conf["report_every"] == 0:
            print(f"step {i:3d} bce {loss.item():.4f}")
            for row in probe.rows():
                print("   ", row)
    probe.detach_all()


if __name__ == "__main__":
    train(CONF)
