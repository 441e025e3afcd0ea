# gradwatch-corpus: kind=none
import copy
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader, random_split

torch.set_num_threads(1)
torch.manual_seed(106)


def make_model(width):
    return nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 1))


def eval_loss(model, loader, loss_fn):
    was_training = model.training
    model.eval()
    losses = [loss_fn(model(a), b) for a, b in loader]
    model.train(was_training)
    return (sum(losses) / len(losses)).item()


def fit(width, train, val, max_epochs=40, patience=6):
    model = make_model(width)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=2)
    loss_fn = nn.L1Loss()
    best, best_model, waited = float("inf"), None, 0
    for epoch in range(max_epochs):
        for a, b in train:
            opt.zero_grad()
            loss = loss_fn(model(a), b)
            loss.backward()
            opt.step()
        score = eval_loss(model, val, loss_fn)
        plateau.step(score)
        if score < best - 1e-4:
            best, waited = score, 0
            best_model = copy.deepcopy(model)
        else:
            waited += 1
            if waited > patience:
                break
    model.load_state_dict(best_model.state_dict())
    return model, best, epoch


mixture = torch.rand(260, 8)
strength = (mixture[:, :4].prod(1, keepdim=True) * 20 + mixture.sum(1, keepdim=True)) + 0.1 * torch.randn(260, 1)
tr, va = random_split(TensorDataset(mixture, strength), [200, 60])
results = {}
for width in (4, 8, 16, 24, 32):
    model, best, last = fit(width, DataLoader(tr, 20, shuffle=True), DataLoader(va, 20))
    results[width] = best
    print(width, round(best, 4), "stopped at", last)
print("best width", min(results, key=results.get))
