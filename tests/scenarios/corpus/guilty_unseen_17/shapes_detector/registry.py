"""Name -> class registries, and building from config dicts."""


class Registry:
    def __init__(self, name):
        self.name = name
        self._module_dict = {}

    def register_module(self, cls=None, *, name=None):
        def _register(c):
            key = name or c.__name__
            if key in self._module_dict:
                raise KeyError(f"{key} is already registered in {self.name}")
            self._module_dict[key] = c
            return c
        return _register if cls is None else _register(cls)

    def build(self, cfg, **default_args):
        args = {**default_args, **cfg}
        obj_type = args.pop("type")
        if obj_type not in self._module_dict:
            raise KeyError(f"{obj_type} is not in the {self.name} registry")
        return self._module_dict[obj_type](**args)


DETECTORS = Registry("detector")
BACKBONES = Registry("backbone")
HEADS = Registry("head")
HOOKS = Registry("hook")
DATASETS = Registry("dataset")
