# gradwatch-corpus: kind=none
from itertools import islice

import torch
from torch import nn

from inspect_kit.cam import grad_cam, pointing_hit
from inspect_kit.capture import LayerCapture
from inspect_kit.welds import WeldLine


def make_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveMaxPool2d(1),
        nn.Flatten(),
        nn.Linear(16, 2),
    )


def plain_step(model, batch, criterion):
    return criterion(model(batch.image), batch.pore)


def audited_step(model, batch, criterion, audit):
    with LayerCapture(model, ["4"]) as cap:
        logits = model(batch.image)
        cam = grad_cam(logits[:, 1].sum(), cap.outputs["4"])
    defective = batch.pore == 1
    audit.append(pointing_hit(cam[defective], batch.row[defective]))
    return criterion(logits, batch.pore)


def main(steps=120, audit_every=5):
    torch.manual_seed(404)
    model = make_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    audit = []
    for step, batch in enumerate(islice(WeldLine(16, 24, seed=405), steps)):
        if step % audit_every == 0:
            loss = audited_step(model, batch, criterion, audit)
        else:
            loss = plain_step(model, batch, criterion)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 30 == 29:
            print(f"step {step + 1} loss {loss.item():.4f} pointing {sum(audit[-6:]) / 6:.3f}")


if __name__ == "__main__":
    main()
