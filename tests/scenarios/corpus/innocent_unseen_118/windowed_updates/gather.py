from contextlib import contextmanager


@contextmanager
def gather_outputs(root, kinds):
    """Collects the outputs of all submodules of the given kinds while the block runs."""
    gathered, handles = {}, []

    def keep(name):
        def hook(module, args, output):
            gathered.setdefault(name, []).append(output)
        return hook

    for name, module in root.named_modules():
        if isinstance(module, kinds):
            handles.append(module.register_forward_hook(keep(name)))
    try:
        yield gathered
    finally:
        for h in handles:
            h.remove()
        gathered.clear()
