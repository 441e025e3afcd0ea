# gradwatch-corpus: kind=graph-held
# holder: self.pred | r2.pred
# first-bad: 1
import torch
import torch.nn.functional as F

from data import ToyMolecules
from metrics import R2Score
from model import SolNet

EPOCHS = 4
BATCH = 10


def train():
    torch.manual_seed(0)
    ds = ToyMolecules()
    net = SolNet()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    gen = torch.Generator().manual_seed(5)
    r2 = R2Score()
    for epoch in range(EPOCHS):
        r2.reset()
        running = 0.0
        for types, adj, y in ds.loader(BATCH, gen):
            opt.zero_grad(set_to_none=True)
            pred = net(types, adj)
            loss = F.smooth_l1_loss(pred, y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            running += loss.item() * len(y)
            r2.update(pred, y)  # <- culprit
        print(f"[{epoch}] huber={running / len(ds):.4f} R2={r2.compute():.3f}")


if __name__ == "__main__":
    train()
