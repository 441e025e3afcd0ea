import torch


def evaluate(model, batches):  # <- culprit
    model.eval()
    hit = n = 0
    for tokens, labels in batches:  # <- culprit
        logits = model(tokens)  # <- culprit
        hit += ((logits > 0).float() == labels).sum().item()
        n += len(labels)
    return {"acc": hit / n}
