from contextlib import contextmanager

import torch


@contextmanager
def quiet(net):
    was_training, was_grad = net.training, torch.is_grad_enabled()
    net.eval()
    torch.set_grad_enabled(False)  # <- culprit
    yield net  # <- culprit
    torch.set_grad_enabled(was_grad)
    net.train(was_training)
