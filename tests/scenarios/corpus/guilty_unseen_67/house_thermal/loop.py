from torch import nn


def train_window(net, optimizer, criterion, inputs, target):
    optimizer.zero_grad()
    loss = criterion(net(inputs), target)
    loss.backward(retain_graph=True)
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimizer.step()
    return loss.item()


def run_epoch(net, optimizer, source, report):
    criterion = nn.MSELoss()
    losses, day = [], 0
    for inputs, target in source:
        losses.append(train_window(net, optimizer, criterion, inputs, target))
        if len(losses) == report:
            yield day, losses
            losses, day = [], day + 1
