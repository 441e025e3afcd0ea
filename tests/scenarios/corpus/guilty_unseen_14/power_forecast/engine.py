import torch


def train_epoch(model, data, optimizer, loss_fn, batch_size, n_batches):
    model.train()
    x, y = data
    running = 0.0
    for _ in range(n_batches):
        idx = torch.randint(len(x), (batch_size,))
        optimizer.zero_grad()
        loss = loss_fn(model(x[idx]), y[idx])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        running += loss.item()
    return running / n_batches


def evaluate(model, data, loss_fn, batch_size=64):
    model.eval()
    x, y = data
    total, n = 0.0, 0
    for i in range(0, len(x), batch_size):
        xb, yb = x[i:i + batch_size], y[i:i + batch_size]
        total += loss_fn(model(xb), yb) * len(xb)  # <- culprit
        n += len(xb)
    return total / n
