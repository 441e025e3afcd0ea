import torch


def carried(tree):
    if tree is None:
        return None
    if isinstance(tree, torch.Tensor):
        return tree.detach()
    if isinstance(tree, dict):
        return {k: carried(v) for k, v in tree.items()}
    return type(tree)(carried(v) for v in tree)
