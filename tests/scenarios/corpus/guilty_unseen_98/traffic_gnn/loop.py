import torch


def batches(x, y, size):
    order = torch.randperm(len(x))
    for part in order.split(size):
        yield x[part], y[part]


def run_epoch(model, opt, x, y, batch):
    model.train()
    model.refresh_graph()  # <- culprit
    tot = 0.0
    for xb, yb in batches(x, y, batch):
        loss = torch.nn.functional.l1_loss(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(xb)
    return tot / len(x)


@torch.no_grad()
def validate(model, x, y):
    model.eval()
    model.refresh_graph()
    return torch.nn.functional.l1_loss(model(x), y).item()


def fit(model, x, y, epochs, batch):
    cut = int(0.8 * len(x))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-5)
    print("before training:", round(validate(model, x[cut:], y[cut:]), 4))
    for e in range(epochs):
        tr = run_epoch(model, opt, x[:cut], y[:cut], batch)
        print(e, round(tr, 4), round(validate(model, x[cut:], y[cut:]), 4))
