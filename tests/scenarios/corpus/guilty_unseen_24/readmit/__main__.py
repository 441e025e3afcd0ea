# gradwatch-corpus: kind=graph-chain
# holder: self.centre | model.effects.centre | self._buffers["centre"] | model.effects._buffers["centre"]
# first-bad: 1
import torch
from torch import nn

from .cohort import AdmissionSet
from .model import ReadmissionNet


def auroc(score, label):
    order = score.argsort()
    ranks = torch.empty_like(score)
    ranks[order] = torch.arange(1, len(score) + 1, dtype=score.dtype)
    pos = label.bool()
    n1, n0 = pos.sum(), (~pos).sum()
    return ((ranks[pos].sum() - n1 * (n1 + 1) / 2) / (n1 * n0)).item()


@torch.no_grad()
def validate(model, data):
    model.eval()
    out = model(data.vitals, data.codes, data.site)
    model.train()
    return auroc(out, data.label)


def main():
    torch.manual_seed(3)
    train, valid = AdmissionSet(8192, seed=0), AdmissionSet(2048, seed=1)
    loader = torch.utils.data.DataLoader(train, batch_size=128, shuffle=True, drop_last=True)
    model = ReadmissionNet(train.n_vitals, train.n_codes, train.n_sites)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(3.0))
    for epoch in range(5):
        running = 0.0
        for vitals, codes, site, label in loader:
            opt.zero_grad(set_to_none=True)
            loss = criterion(model(vitals, codes, site), label)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            running += loss.item()
        print(f"epoch {epoch}  bce {running / len(loader):.4f}  auroc {validate(model, valid):.3f}  "
              f"centre {model.effects.centre.item():+.4f}")


if __name__ == "__main__":
    main()
