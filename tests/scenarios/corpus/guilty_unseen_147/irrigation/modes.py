from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def inference(model: nn.Module):
    was_training = model.training
    had_grad = torch.is_grad_enabled()
    model.eval()
    torch.set_grad_enabled(False)  # <- culprit
    yield model
    torch.set_grad_enabled(had_grad)  # <- culprit
    model.train(was_training)
