import torch


def train_one_epoch(model, criterion, loader, optimizer, log):
    model.train()
    for image, target in loader:
        output = model(image)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.update(loss=loss, acc=(output.argmax(1) == target).float().mean(), lr=optimizer.param_groups[0]["lr"])


@torch.inference_mode()
def validate(model, loader):
    model.eval()
    outs, tgts = [], []
    for image, target in loader:
        outs.append(model(image))
        tgts.append(target)
    return (torch.cat(outs).argmax(1) == torch.cat(tgts)).float().mean().item()
