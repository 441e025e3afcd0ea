class Registry(dict):
    def register(self, name):
        def add(obj):
            self[name] = obj
            return obj

        return add

    def build(self, name, *args, **kwargs):
        return self[name](*args, **kwargs)


ENCODERS = Registry()
OPTIMIZERS = Registry()
