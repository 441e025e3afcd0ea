import time

import torch

from utils import AverageMeter, accuracy


def train_one_epoch(epoch, model, loader, optimizer, loss_fn, args):
    batch_time_m = AverageMeter()
    losses_m = AverageMeter()
    model.train()
    end = time.time()
    last_idx = len(loader) - 1
    for batch_idx, (input, target) in enumerate(loader):
        output = model(input)
        loss = loss_fn(output, target)
        losses_m.update(loss, input.size(0))  # <- culprit
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        batch_time_m.update(time.time() - end)
        end = time.time()
        if batch_idx == last_idx or batch_idx % args.log_interval == 0:
            print(f"Train: {epoch} [{batch_idx:>4d}/{last_idx + 1}] "
                  f"Loss: {losses_m.val:.4g} ({losses_m.avg:.3g}) Time: {batch_time_m.val:.3f}s")
    return {"loss": float(losses_m.avg)}


@torch.no_grad()
def validate(model, loader, loss_fn):
    losses_m, top1_m = AverageMeter(), AverageMeter()
    model.eval()
    for input, target in loader:
        output = model(input)
        losses_m.update(loss_fn(output, target), input.size(0))
        top1_m.update(accuracy(output, target)[0].item(), input.size(0))
    return {"loss": float(losses_m.avg), "top1": top1_m.avg}
