import contextlib
import torch


@contextlib.contextmanager
def evaluating(module):
    was_training, was_grad = module.training, torch.is_grad_enabled()
    module.eval()
    torch.set_grad_enabled(False)
    try:
        yield
    finally:
        torch.set_grad_enabled(was_grad)
        module.train(was_training)
