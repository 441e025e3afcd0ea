# gradwatch-corpus: kind=none
import torch

from data import SignalPairs
from moco import MoCo


def knn_accuracy(encoder, bank, bank_y, x, y):
    encoder.eval()
    with torch.no_grad():
        a = torch.nn.functional.normalize(encoder(bank), dim=1)
        b = torch.nn.functional.normalize(encoder(x), dim=1)
        pred = bank_y[(b @ a.t()).argmax(1)]
    encoder.train()
    return (pred == y).float().mean().item()


def train():
    torch.manual_seed(5)
    data = SignalPairs(classes=6, length=40)
    model = MoCo(length=40, dim=16, K=256)
    opt = torch.optim.SGD(model.encoder_q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[250, 380], gamma=0.3)
    running, seen = 0.0, 0
    for step in range(450):
        im_q, im_k = data.pair(32)
        logits, labels = model(im_q, im_k)
        loss = torch.nn.functional.cross_entropy(logits, labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        running += loss.item()
        seen += 1
        if step % 90 == 89:
            (bx, by), (tx, ty) = data.labelled(200), data.labelled(100)
            acc = knn_accuracy(model.encoder_q, bx, by, tx, ty)
            print(f"step {step + 1} loss {running / seen:.3f} knn {acc:.3f}")
            running, seen = 0.0, 0


if __name__ == "__main__":
    train()
