"""How parameters are made: initializers and ParamAttr, which layers of both modes share."""
