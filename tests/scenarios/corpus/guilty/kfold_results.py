# gradwatch-corpus: kind=graph-held
# holder: fold_log | results["folds"][fold]["train"]["loss"]
# holder: results["folds"][0]["train"]["loss"] | results | history | results["folds"]
# holder: fold_log["train"]["loss"]
# about: nested dicts of lists, one branch per fold; a short alias in the loop does the storing
import torch
from torch import nn


def new_results(k):
    return {"config": {"lr": 0.05}, "folds": [{"train": {"loss": []}, "val": {}} for _ in range(k)]}


def folds(x, y, k):
    chunks = list(zip(x.chunk(k), y.chunk(k)))
    for i, val in enumerate(chunks):
        train = [c for j, c in enumerate(chunks) if j != i]
        yield i, train, val


def run_fold(train, val, fold_log, lr, epochs=10):
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for _ in range(epochs):
        for xb, yb in train:
            loss = nn.functional.mse_loss(model(xb), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            fold_log["train"]["loss"].append(loss)  # <- culprit
    with torch.no_grad():
        fold_log["val"]["loss"] = nn.functional.mse_loss(model(val[0]), val[1]).item()


torch.manual_seed(0)
x = torch.randn(96, 6)
y = x.sum(1, keepdim=True)
results = new_results(3)
for fold, train, val in folds(x, y, 3):
    run_fold(train, val, results["folds"][fold], results["config"]["lr"])
print([round(f["val"]["loss"], 3) for f in results["folds"]])
