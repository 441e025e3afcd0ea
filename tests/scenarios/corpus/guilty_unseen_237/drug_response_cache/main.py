# gradwatch-corpus: kind=second-backward
# holder: self._memo | self.drug._memo | model.drug._memo
# first-bad: 15
import torch

from model import ResponseModel
from screen import Screen

torch.manual_seed(3)

EPOCHS = 6
screen = Screen(seed=3)
model = ResponseModel(screen.fingerprints)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
log = {"epoch": [], "mse": []}


def run_plate(drugs, lines, ic50):
    pred = model(drugs, screen.expression[lines])
    loss = torch.nn.functional.mse_loss(pred, ic50)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


step = 0
for epoch in range(EPOCHS):
    losses = []
    for drugs, lines, ic50 in screen.plates():
        losses.append(run_plate(drugs, lines, ic50))
        step += 1
    log["epoch"].append(epoch)
    log["mse"].append(sum(losses) / len(losses))
    print(f"epoch {epoch} steps={step} mse={log['mse'][-1]:.3f}")
